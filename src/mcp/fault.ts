/** Thrown when a tool call has no answer. The message is fixed text; text that depends on data is in `data`. */
export class CallFault extends Error {
  readonly data: readonly object[]

  constructor(message: string, data: readonly object[] = []) {
    super(message)
    this.name = 'CallFault'
    this.data = data
  }
}
