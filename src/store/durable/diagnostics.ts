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
    message: `Batch ${d.id} of the batch log is damaged: its checksum does not fit.`,
    why: 'The file was changed from outside or the disk failed. Restore it from a copy, or move it away to start empty.',
  }),
  'newer-version': (d: { found: number; known: number }) => ({
    message: `The batch log has version ${d.found}; this release knows versions up to ${d.known}.`,
    why: 'It was written by a later release. Run that release, or use another data folder.',
  }),
  closed: (_: Record<never, never>) => ({ message: 'The batch log is closed; the batch was not taken.' }),
})
