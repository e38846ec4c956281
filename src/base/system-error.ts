/** Returns the code of an error that has one, as system errors (`ENOENT`) and those of packages do. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Whether the operating system has refused, as for a full disk or an unreadable file; this is no bug. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
