/** What tests have read since the counters were last taken: rows listed by indexes, bytes of columns. */
export class Counters {
  postingsRead = 0
  bytesTouched = 0

  /** Passes the counts to `see` and resets them. */
  take(see: (name: string, amount: number) => void): void {
    if (this.postingsRead > 0) see('postingsRead', this.postingsRead)
    if (this.bytesTouched > 0) see('bytesTouched', this.bytesTouched)
    this.postingsRead = 0
    this.bytesTouched = 0
  }
}
