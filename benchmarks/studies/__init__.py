# SPDX-License-Identifier: Apache-2.0
"""The studies, by what they are about; each module lists its own as ``STUDIES``."""
