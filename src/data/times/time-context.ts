/** The context in which an incomplete time is read. */
export interface TimeContext {
  /** "Now", from which a missing year or day is derived: the time of reading, or of a file's last change. */
  readonly nowNs: bigint
  /** The zone of times without one: a name in the IANA database, or an offset such as `+02:00`. UTC by default. */
  readonly zone?: string | undefined
}
