/**
 * An expected failure of a command. `exitCode` 1 means a negative result (bad query, damaged file, difference found), 2
 * wrong usage, 130 an interrupt.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2 | 130

  constructor(message: string, exitCode: 1 | 2 | 130 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
