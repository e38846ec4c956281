/** What a time that does not say everything is read with. */
export interface TimeContext {
  /** "Now", from which a missing year or day is taken: the time of reading, or of the last change of a file. */
  readonly nowNs: bigint
  /** Zone of times that name none: of the IANA database, or an offset as `+02:00`. UTC unless given. */
  readonly zone?: string | undefined
}
