import { defineDiagnostics } from '../../base/index.ts'

export const durableDiagnostic = defineDiagnostics('durable', {
  'disk-full': (_: Record<never, never>) => ({
    message: 'The disk is full; the batch was not taken.',
    why: 'Queries go on. Free some space and send the batch again: nothing of it was stored.',
  }),
  'write-failed': (d: { reason: string }) => ({
    message: 'The batch could not be written; it was not taken.',
    why: d.reason,
  }),
  damaged: (d: { id: number }) => ({
    message: `Batch ${d.id} of the batch log is damaged: its checksum does not match.`,
    why: 'The file was changed from outside or the disk failed. Restore it from a copy, or move it away to start empty.',
  }),
  'newer-version': (d: { found: number; known: number }) => ({
    message: `The batch log has version ${d.found}; this release knows versions up to ${d.known}.`,
    why: 'It was written by a later release. Run that release, or use another data folder.',
  }),
  'unknown-format': (d: { table: string; format: string }) => ({
    message: `The batch log holds ${d.table} as \`${d.format}\`, which this release cannot read.`,
    why: 'It was written by another release. Run that release, or use another data folder.',
  }),
  'unknown-backend': (d: { backend: string }) => ({
    message: `The batch log holds data of the backend \`${d.backend}\`, which is not served.`,
    why: 'Name it with `--backends`, or use another data folder.',
  }),
  'in-use': (_: Record<never, never>) => ({
    message: 'The data folder is in use by another process.',
    why: 'Stop it first, or use another folder: two programs must not write to one.',
  }),
  unreadable: (d: { reason: string }) => ({
    message: `The batch log cannot be read: ${d.reason}.`,
    why: 'The file was changed from outside or the disk failed. Restore it from a copy, or move it away to start empty.',
  }),
  closed: (_: Record<never, never>) => ({ message: 'The batch log is closed; the batch was not taken.' }),
})
