/** Returns the `code` of an error, if it has one. System errors (`ENOENT`) and errors of packages do. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/**
 * Returns whether the error comes from the operating system, such as a full disk or an unreadable file. Such errors are
 * not bugs.
 */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
