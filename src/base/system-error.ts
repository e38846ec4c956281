/** The code of an error that has one, as those of the system (`ENOENT`) and of packages do. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Whether it is the system that said no, as for a full disk or a file that may not be read: no fault of this program. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
