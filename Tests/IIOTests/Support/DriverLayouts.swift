// SPDX-License-Identifier: Apache-2.0

// How the accelerometers of Linux look in sysfs: what each driver of drivers/iio and drivers/staging/iio names its device and its files,
// read in the sources of Linux 6.12, and of the newest versions where drivers came or changed later.

/// What a driver shows of its accelerometer.
struct DriverLayout {
  /// The name of its device; one of several chips.
  var name: String
  /// The axes that it has.
  var axes = "xyz"
  /// `scan_elements/in_accel_x_type`; nil without a buffer.
  var format: String?
  /// The name of its trigger; nil if its buffer needs none, or one of somebody else's.
  var trigger: String?
  /// Whether a scan has a time stamp.
  var isStamped = true
  /// The names of its files beside the readings, divided by blanks.
  var files: String

  init(
    _ name: String, axes: String = "xyz", format: String? = nil, trigger: String? = nil,
    isStamped: Bool = true,
    _ files: String
  ) {
    (self.name, self.axes, self.format, self.trigger) = (name, axes, format, trigger)
    (self.isStamped, self.files) = (isStamped, files)
  }
}

/// Each driver once.
let driverLayouts = [
  DriverLayout("adis16201", axes: "xy", format: "be:s14/16>>0", trigger: "adis16201-dev0", "in_accel_scale"),
  DriverLayout("adis16209", axes: "xy", format: "be:s14/16>>0", trigger: "adis16209-dev0", "in_accel_scale"),
  DriverLayout(
    "adxl312", format: "be:s13/16>>0", isStamped: false,
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "adxl345", format: "le:s13/16>>0", isStamped: false,
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available"),
  DriverLayout(
    "adxl355", format: "be:s20/32>>4", trigger: "adxl355-dev0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available "
      + "in_accel_filter_high_pass_3db_frequency"),
  DriverLayout(
    "adxl367", format: "be:s14/16>>0", isStamped: false,
    "in_accel_scale sampling_frequency sampling_frequency_available"),
  DriverLayout(
    "adxl372", format: "be:s12/16>>4", trigger: "adxl372-dev0", isStamped: false,
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available "
      + "in_accel_filter_low_pass_3db_frequency"),
  DriverLayout(
    "adxl380", format: "be:s16/16>>0", isStamped: false,
    "in_accel_scale sampling_frequency sampling_frequency_available "
      + "in_accel_filter_low_pass_3db_frequency in_accel_filter_high_pass_3db_frequency"),
  DriverLayout(
    "bma023", format: "le:s10/16>>6", trigger: "bma023-dev0",
    "in_accel_scale in_mount_matrix in_accel_filter_low_pass_3db_frequency in_accel_power_mode"),
  DriverLayout("bma220", format: "le:s6/8>>2", "in_accel_scale"),
  DriverLayout(
    "bma400", format: "le:s12/16>>0", trigger: "bma400-dev0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available in_mount_matrix "
      + "in_accel_oversampling_ratio"),
  DriverLayout(
    "bma222", format: "le:s8/16>>8", trigger: "bma222-dev0",
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available in_mount_matrix"),
  DriverLayout(
    "bmi085-accel", "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "cros-ec-accel-legacy", format: "le:s16/16>>0",
    "scale sampling_frequency sampling_frequency_available calibrate id"),
  DriverLayout(
    "cros-ec-accel", format: "le:s16/16>>0",
    "scale sampling_frequency sampling_frequency_available in_accel_x_calibscale in_accel_y_calibscale "
      + "in_accel_z_calibscale calibrate id"),
  DriverLayout("da217", "in_accel_scale"),
  DriverLayout("da226", axes: "xy", "in_accel_scale"),
  DriverLayout("da311", "in_accel_scale"),
  DriverLayout("dmard06", "in_accel_scale"),
  DriverLayout("dmard09", "in_accel_scale"),
  DriverLayout("dmard10", "in_accel_scale"),
  DriverLayout(
    "fxls8962af", format: "le:s12/16>>0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "accel_3d", format: "le:s32/32>>0", trigger: "accel_3d-dev0",
    "in_accel_scale in_accel_offset in_accel_sampling_frequency in_accel_hysteresis"),
  DriverLayout(
    "gravity", format: "le:s32/32>>0", trigger: "gravity-dev0",
    "in_gravity_scale in_gravity_offset in_gravity_sampling_frequency in_gravity_hysteresis"),
  DriverLayout(
    "kx022-accel", format: "le:s16/16>>0", trigger: "kx022-acceldata-rdy-dev0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available "
      + "in_accel_mount_matrix"),
  DriverLayout(
    "kxcjk1013", format: "le:s12/16>>4", trigger: "kxcjk1013-dev0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available "
      + "in_accel_mount_matrix"),
  DriverLayout("kxsd9", format: "be:u12/16>>4", "in_accel_scale in_accel_offset in_accel_mount_matrix"),
  DriverLayout("mc3230", "in_accel_scale in_mount_matrix"),
  DriverLayout(
    "mma7455", format: "le:s10/16>>0",
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available"),
  DriverLayout("mma7660", "in_accel_scale in_mount_matrix"),
  DriverLayout(
    "mma8451", format: "be:s14/16>>2", trigger: "mma8451-dev0",
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available in_accel_mount_matrix "
      + "in_accel_filter_high_pass_3db_frequency in_accel_oversampling_ratio"),
  DriverLayout("mma9551", "in_accel_scale"),
  DriverLayout("mma9553", "in_accel_scale"),
  DriverLayout(
    "msa311-13", format: "le:s12/16>>4", trigger: "msa311-13-new-data",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "mxc4005", format: "be:s12/16>>4", trigger: "mxc4005-dev0", "in_accel_scale in_accel_mount_matrix"),
  DriverLayout("mxc6255", axes: "xy", "in_accel_scale"),
  DriverLayout(
    "sca3000_d01", format: "be:s13/16>>3", isStamped: false,
    "in_accel_scale sampling_frequency sampling_frequency_available "
      + "in_accel_filter_low_pass_3db_frequency"),
  DriverLayout("sca3300", format: "le:s16/16>>0", "in_accel_scale in_accel_filter_low_pass_3db_frequency"),
  DriverLayout("ssp-accelerometer", axes: "", format: "le:s16/16>>0", "in_accel_sampling_frequency"),
  DriverLayout(
    "h3lis331dl_accel", format: "le:s8/8>>0", trigger: "h3lis331dl_accel-trigger",
    "in_accel_x_scale in_accel_y_scale in_accel_z_scale sampling_frequency "
      + "sampling_frequency_available mount_matrix"),
  DriverLayout(
    "stk8312", format: "le:s8/8>>0", trigger: "stk8312-dev0",
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available"),
  DriverLayout(
    "stk8ba50", format: "le:s10/16>>6", trigger: "stk8ba50-dev0",
    "in_accel_scale sampling_frequency_available in_accel_sampling_frequency_available"),
  DriverLayout(
    "adis16300", format: "be:s14/16>>0", trigger: "adis16300-dev0",
    "in_accel_scale sampling_frequency in_accel_filter_low_pass_3db_frequency"),
  DriverLayout(
    "adis16460", format: "be:s32/32>>0", trigger: "adis16460-dev0", "in_accel_scale sampling_frequency"),
  DriverLayout(
    "adis16465-1", format: "be:s32/32>>0", trigger: "adis16465-1-dev0",
    "in_accel_scale sampling_frequency filter_low_pass_3db_frequency"),
  DriverLayout(
    "adis16375", format: "be:s32/32>>0", trigger: "adis16375-dev0",
    "in_accel_scale sampling_frequency in_accel_x_filter_low_pass_3db_frequency in_accel_x_calibscale"),
  DriverLayout(
    "adis16550", format: "be:s32/32>>0", trigger: "adis16550-dev0",
    "in_accel_scale sampling_frequency in_accel_filter_low_pass_3db_frequency in_accel_x_calibscale"),
  DriverLayout(
    "bmi120", format: "le:s16/16>>0", trigger: "bmi120-dev0",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available in_mount_matrix"),
  DriverLayout(
    "bmi260", format: "le:s16/16>>0", trigger: "bmi260-trig-1",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "bmi323-imu", format: "le:s16/16>>0", trigger: "bmi323-imu-trig-1",
    "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available "
      + "in_accel_mount_matrix in_accel_oversampling_ratio"),
  DriverLayout(
    "bno055", format: "le:s16/16>>0",
    "in_accel_scale in_accel_x_offset in_accel_y_offset in_accel_z_offset "
      + "in_accel_filter_low_pass_3db_frequency in_accel_range_raw in_accel_calibration_auto_status "
      + "fusion_enable"),
  DriverLayout(
    "fxos8700", "in_accel_scale in_accel_sampling_frequency in_accel_sampling_frequency_available"),
  DriverLayout(
    "icm42600-accel", format: "be:s16/16>>0",
    "in_accel_scale sampling_frequency sampling_frequency_available mount_matrix in_accel_power_mode"),
  DriverLayout(
    "icm42607-accel", "in_accel_scale sampling_frequency sampling_frequency_available mount_matrix"),
  DriverLayout(
    "icm45605-accel", format: "le:s16/16>>0",
    "in_accel_scale sampling_frequency sampling_frequency_available mount_matrix"),
  DriverLayout(
    "mpu6000", format: "be:s16/16>>0", trigger: "mpu6000-dev0",
    "in_accel_scale sampling_frequency sampling_frequency_available in_accel_mount_matrix "
      + "in_accel_matrix in_gyro_matrix"),
  DriverLayout(
    "kmx611021", format: "le:s12/16>>4", trigger: "kmx611021-dready-dev0", isStamped: false,
    "in_accel_scale in_accel_sampling_frequency sampling_frequency_available"),
  DriverLayout("smi240", format: "le:s16/16>>0", "in_accel_scale in_accel_filter_low_pass_3db_frequency"),
  DriverLayout(
    "smi330", format: "le:s16/16>>0", trigger: "smi330-drdy-trigger",
    "in_accel_scale in_accel_sampling_frequency in_sampling_frequency_available "
      + "in_accel_oversampling_ratio in_accel_filter_low_pass_3db_frequency"),
  DriverLayout(
    "lsm6ds3_accel", format: "le:s16/16>>0",
    "in_accel_scale sampling_frequency sampling_frequency_available mount_matrix"),
  DriverLayout(
    "lsm9ds0", format: "le:s16/16>>0", trigger: "lsm9ds0-trigger",
    "in_accel_x_scale in_accel_y_scale in_accel_z_scale sampling_frequency "
      + "sampling_frequency_available mount_matrix"),
  DriverLayout(
    "accelerometer", format: "le:s64/64>>0",
    "in_accel_x_scale in_accel_y_scale in_accel_z_scale in_accel_sampling_frequency "
      + "in_accel_sampling_frequency_available in_accel_raw_available"),
  DriverLayout(
    "adis16240", format: "be:s10/16>>0", trigger: "adis16240-dev0",
    "in_accel_scale in_accel_x_peak_raw in_accel_xyz_squared_peak_raw"),
]
