/** A file that cannot be read; ends the command line with `exitCode`: 2 when there is no such file, 1 when it is damaged. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
