/** The context for reading a time that lacks a year, day or zone. */
export interface TimeContext {
  /** The time from which a missing year or day is derived: the time of reading, or of the last change of the file. */
  readonly nowNs: bigint
  /** The zone of times that state none: an IANA name, or an offset such as `+02:00`. Default: UTC. */
  readonly zone?: string | undefined
}
