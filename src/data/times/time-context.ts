/** What a time that does not say everything is read with. */
export interface TimeContext {
  /** "Now", from which a missing year is taken. */
  readonly nowNs: bigint
  /** Zone of times that name none: of the IANA database, or an offset as `+02:00`. UTC unless given. */
  readonly zone?: string | undefined
}
