# SPDX-License-Identifier: GPL-2.0 OR MIT
# In the library's comments @name is an argument, as in kernel-doc, not a command of Doxygen.
\|///| { s|\\|\\\\|g; s|@([A-Za-z_]+)|`\1`|g }
