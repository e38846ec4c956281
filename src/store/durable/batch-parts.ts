/** The batch logs. Batches leave a log once files have their content. */
export const batchParts = ['batches', 'samples'] as const
export type BatchPart = (typeof batchParts)[number]

export function isBatchPart(part: string): part is BatchPart {
  return batchParts.some((known) => known === part)
}

/** The id of the last acknowledged record of each batch log. */
export type LogEnds = Readonly<Record<BatchPart, number>>
