import { SluiceError, defineDiagnostics, errorCode, nowhere } from '../../base/index.ts'
import { isReadFailure } from './files.ts'

const REPAIR =
  'Nothing was changed. `sluice repair --data DIR` shows what can be saved; a copy from before the damage has everything.'

/** Advice for the user by system error code. */
const READ_HELP: Readonly<Record<string, string>> = {
  EMFILE: 'The process has too many files open: raise its limit (`ulimit -n`).',
  ENFILE: 'The machine has too many files open: raise its limit (`fs.file-max`), or end what opens them.',
  EACCES: 'The process may not read it: look at its owner and its permissions, and at those of its folder.',
  EPERM: 'The process may not read it: look at its owner and its permissions, and at those of its folder.',
  ENOMEM: 'The system has no memory left.',
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The quota of the disk is used up: free some space.',
  EIO: 'The disk or its connection fails: look at the log of the system, and copy the folder before the disk gets worse.',
}

export const durableDiagnostic = defineDiagnostics('durable', {
  'disk-full': (_: Record<never, never>) => ({
    message: 'The disk is full; the batch was not taken.',
    why: 'Queries go on. Free some space and send the batch again: nothing of it was stored.',
  }),
  'disk-reserve': (_: Record<never, never>) => ({
    message: 'The disk is full but for its reserve; the batch was not taken.',
    why: 'Queries, deletion and retention go on. Free some space, keep less (`--retain`, `--retain-bytes`), or lower `--disk-reserve`.',
  }),
  'deletion-stopped': (_: Record<never, never>) => ({
    message: 'The disk is full; the deletion did not come to its end.',
    why: 'What is deleted stays deleted. Free some space and delete again: that takes the rest.',
  }),
  'write-failed': (d: { reason: string }) => ({
    message: 'The batch could not be written; it was not taken.',
    why: d.reason,
  }),
  damaged: (d: { part: string; what: string }) => ({
    message: `The data folder is damaged: \`${d.part}\`: ${d.what}.`,
    why: ['The file was changed from outside or the disk failed.', REPAIR],
  }),
  'read-failed': (d: { part: string; reason: string }) => ({
    message: `\`${d.part}\` cannot be read now: the system says ${d.reason}.`,
    why: [
      READ_HELP[d.reason] ?? 'The file system does not answer as it should.',
      'Nothing says that the file is damaged. Try again when that is put right.',
    ],
  }),
  missing: (d: { part: string }) => ({
    message: `The data folder is damaged: its file \`${d.part}\` is missing.`,
    why: ['Without it something would be lost or visible that is not now, in silence.', REPAIR],
  }),
  'newer-version': (d: { found: number; known: number }) => ({
    message: `The data folder has version ${d.found}; this release knows versions up to ${d.known}.`,
    why: 'It was written by a later release. Run that release, or use another data folder.',
  }),
  'earlier-format': (d: { file: string }) => ({
    message: `The data folder holds \`${d.file}\`, a file of a build from before the first release, which this one cannot read.`,
    why: 'Send the data again to another folder, or run the earlier build.',
  }),
  'unknown-format': (d: { table: string; format: string }) => ({
    message: `The batch log holds ${d.table} as \`${d.format}\`, which this release cannot read.`,
    why: 'It was written by another release. Run that release, or use another data folder.',
  }),
  'unknown-backend': (d: { backend: string }) => ({
    message: `The batch log holds data of the backend \`${d.backend}\`, which is not served.`,
    why: 'Name it with `--backends`, or use another data folder.',
  }),
  'other-rows': (d: { id: number; table: string; stored: number; read: number }) => ({
    message: `Batch ${d.id} of the log gave ${d.stored} rows of ${d.table} when it was stored, and gives ${d.read} now.`,
    why: [
      'Some of its rows lie in segments already, and which ones cannot be told any more. Nothing was changed.',
      'It was stored by another release. Run that release, or use another data folder.',
    ],
  }),
  'not-empty': (_: Record<never, never>) => ({
    message: 'The folder of a snapshot has files already; nothing was written.',
    why: 'Name one that is empty or not there.',
  }),
  'in-use': (_: Record<never, never>) => ({
    message: 'The data folder is in use by another process.',
    why: 'Stop it first, or use another folder: two programs must not write to one.',
  }),
  unreadable: (d: { reason: string }) => ({ message: `The batch log cannot be read: ${d.reason}.` }),
  closed: (_: Record<never, never>) => ({ message: 'The batch log is closed; the batch was not taken.' }),
})

/**
 * Converts a system error of a read to `durable/read-failed` if the file's content may be whole, else to
 * `durable/damaged`. Returns any other error unchanged.
 */
export function readFailure(logName: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || error instanceof SluiceError) return error
  if (isReadFailure(error))
    return new SluiceError([durableDiagnostic('read-failed', { part: logName, reason: code }, nowhere)])
  return new SluiceError([durableDiagnostic('damaged', { part: logName, what: `it cannot be read: ${code}` }, nowhere)])
}

/** True if an error is `durable/read-failed`: a later attempt may succeed. */
export function isReadFailed(error: unknown): boolean {
  return error instanceof SluiceError && error.code === 'durable/read-failed'
}

/**
 * True if an error means that another release wrote the file. Repair must not change such a file, since its content is
 * whole.
 */
export function isOfOtherBuild(error: unknown): boolean {
  return error instanceof SluiceError && ['durable/newer-version', 'durable/earlier-format'].includes(error.code)
}

/** Returns the SluiceError for an error of a write. */
export function writeFailure(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error
  const code = errorCode(error) ?? 'unknown'
  if (code === 'ENOSPC' || code === 'EDQUOT') return new SluiceError([durableDiagnostic('disk-full', {}, nowhere)])
  return new SluiceError([durableDiagnostic('write-failed', { reason: code }, nowhere)])
}
