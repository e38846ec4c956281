/** Names of the batch logs. A batch is removed from its log once files contain its rows or samples. */
export const batchLogNames = ['batches', 'samples'] as const
export type BatchLogName = (typeof batchLogNames)[number]

export function isBatchLogName(name: string): name is BatchLogName {
  return batchLogNames.some((known) => known === name)
}

/** The id of the last acknowledged record of each batch log. */
export type LogEnds = Readonly<Record<BatchLogName, number>>
