/**
 * The end of a command that is no bug: `exitCode` 1 means "the answer is no" (bad query, damaged file, difference
 * found), 2 wrong use, 130 an interrupt.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2 | 130

  constructor(message: string, exitCode: 1 | 2 | 130 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
