// SPDX-License-Identifier: Apache-2.0
/**
 * OpenCL by JNR-FFI, which may be missing: a device of a platform, programs, and runs of their kernels. Loading is done
 * on one thread and running on another. Imports JNR-FFI in {@code LibOpenCl} and what calls it alone.
 */
package org.grim.device.opencl;
