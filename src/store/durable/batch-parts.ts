/** The logs that batches go to, which they leave once files hold what they brought. */
export const batchParts = ['batches', 'samples'] as const
export type BatchPart = (typeof batchParts)[number]

export function isBatchPart(part: string): part is BatchPart {
  return batchParts.some((known) => known === part)
}

/** The id of the last acknowledged record of each log. */
export type LogEnds = Readonly<Record<BatchPart, number>>
