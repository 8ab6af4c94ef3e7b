// SPDX-License-Identifier: Apache-2.0
// redc_vote_pkg: a vote of the three copies that a unit keeps of a bit it must not lose.
`default_nettype none

package redc_vote_pkg;

  /// What two of three copies say.
  function automatic logic majority(logic [2:0] copies);
    return (copies[0] & copies[1]) | (copies[2] & (copies[0] | copies[1]));
  endfunction

endpackage

`default_nettype wire
