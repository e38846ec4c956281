import { ResourceError, createPolicyService, type DocumentStore, type PolicyBody } from '../../src/resources/index.ts'
import { actor } from './stores.ts'

export interface RaceResult {
  /** Updates that were acknowledged. */
  readonly won: number
  /** Updates refused as stale. */
  readonly stale: number
  readonly faults: readonly string[]
}

/**
 * Writers that read a policy, add one to the count in its description, and send it back at the revision they have read,
 * until there were `updates` of them. Every revision must have one winner, and the count must lose none.
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
