import { ResourceError, createPolicyService, type DocumentStore, type PolicyBody } from '../../src/resources/index.ts'
import { actor } from './stores.ts'

export interface RaceResult {
  /** Number of acknowledged updates. */
  readonly won: number
  /** Number of updates rejected as stale. */
  readonly stale: number
  readonly faults: readonly string[]
}

/**
 * Runs writers that read a policy, increment the counter in its description, and write it back at the revision they
 * read, until `updates` writes have succeeded. Every revision must have one winner, and no increment may be lost.
 */
export async function revisionRace(store: DocumentStore, writers: number, updates: number): Promise<RaceResult> {
  const policies = createPolicyService(store, { makeId: () => 'p', checkScope: () => [] })
  const body = (description: string, currentRevision?: number): PolicyBody => ({
    name: 'race',
    currentRevision,
    scope: undefined,
    members: { description },
  })
  await policies.create(actor, body('0'))
  const winners = new Map<number, number>()
  const faults: string[] = []
  let won = 0
  let stale = 0
  const write = async (writer: number): Promise<void> => {
    while (won < updates) {
      const { description, revisionNumber } = policies.read(actor, 'p', 'all')
      try {
        const next = await policies.update(actor, 'p', body(String(Number(description) + 1), revisionNumber))
        won++
        if (next.revisionNumber !== revisionNumber + 1) faults.push(`revision ${next.revisionNumber}`)
        if (winners.has(next.revisionNumber)) faults.push(`two winners of ${next.revisionNumber}`)
        winners.set(next.revisionNumber, writer)
      } catch (error) {
        if (!(error instanceof ResourceError) || error.code !== 'resources/stale-revision') throw error
        stale++
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  const { description, revisionNumber } = policies.read(actor, 'p', 'all')
  if (Number(description) !== won) faults.push(`${won} updates were acknowledged, ${description} are left`)
  if (revisionNumber !== won + 1) faults.push(`revision ${revisionNumber} after ${won} updates`)
  return { won, stale, faults }
}
