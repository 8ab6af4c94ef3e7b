# SPDX-License-Identifier: Apache-2.0
# Packages a bundle of `redcore build`, or a folder of `redcore export`, for Vivado's IP catalogue.
# Untried: it follows UG1118 (Creating and Packaging Custom IP); no Vivado was to be had.
#
#   vivado -mode batch -source package_ip.tcl -tclargs FOLDER OUT [PART]

if {[llength $argv] < 2} { error "usage: package_ip.tcl FOLDER OUT \[PART\]" }
lassign $argv folder out part
if {$part eq ""} { set part xc7a100tcsg324-1 }

# Plain Verilog where there is some, else the SystemVerilog sources in the order of rtl.f.
set sources [glob -nocomplain -directory $folder/verilog *.v]
if {[llength $sources] == 0} {
  set list [open $folder/rtl.f]
  foreach name [split [string trim [read $list]] "\n"] { lappend sources $folder/$name }
  close $list
}
set top [file rootname [file tail [lindex $sources end]]]

create_project -in_memory -part $part
add_files -norecurse $sources
set_property top $top [current_fileset]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $out -vendor redcore -library rtl -taxonomy /UserIP \
  -import_files -force
set core [ipx::current_core]
set_property name $top $core
set_property display_name $top $core
set_property description "Modular arithmetic by redcore" $core
ipx::infer_bus_interface clk_i xilinx.com:signal:clock_rtl:1.0 $core
ipx::infer_bus_interface rst_ni xilinx.com:signal:reset_rtl:1.0 $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
