/** Why a call has no answer. The message is a fixed sentence; texts that depend on data are in `data`. */
export class CallFault extends Error {
  readonly data: readonly object[]

  constructor(message: string, data: readonly object[] = []) {
    super(message)
    this.name = 'CallFault'
    this.data = data
  }
}
