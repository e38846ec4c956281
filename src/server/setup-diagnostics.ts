import { defineDiagnostics } from '../base/index.ts'

/** What keeps a server from being made. */
export const setupDiagnostic = defineDiagnostics('setup', {
  'no-key-file': (d: { path: string; reason: string }) => ({
    message: `The key file ${d.path} cannot be read: ${d.reason}`,
  }),
  'no-data-folder': (d: { folder: string; reason: string }) => ({
    message: `The folder ${d.folder} cannot be used: ${d.reason}`,
  }),
  'empty-key': (d: { index: number }) => ({
    message: `The key at position ${d.index} of \`keys\` is empty.`,
    why: 'A key is a text that is not blank, or an object with such a text as `key`.',
  }),
  'not-shared': (_: Record<never, never>) => ({
    message: 'Only stores can be read by worker threads.',
    why: 'Leave `workers` out, or put the rows of `tables` into a store.',
  }),
  'nothing-served': (_: Record<never, never>) => ({
    message: 'There is nothing to serve.',
    why: 'Searches read tables named `logs`, `events`, `spans`, `clusters` and `workloads`; metric queries read `samples`.',
  }),
})
