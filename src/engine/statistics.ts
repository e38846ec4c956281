import { blockReadsText, noReads, type BlockReads, type Budget } from '../base/index.ts'
import type { ExplainTree } from '../plan/index.ts'
import type { QueryStatistics } from './result.ts'

function total(tree: ExplainTree, counter: string): number {
  return tree.inputs.reduce((sum, input) => sum + total(input, counter), tree.measured?.counters[counter] ?? 0)
}

interface Share {
  readonly node: ExplainTree
  readonly milliseconds: number
}

/** Returns the time of each node, excluding the time of its inputs. */
function ownTimes(tree: ExplainTree): readonly Share[] {
  const below = tree.inputs.reduce((sum, input) => sum + (input.measured?.milliseconds ?? 0), 0)
  const own = Math.max(0, (tree.measured?.milliseconds ?? 0) - below)
  return [{ node: tree, milliseconds: own }, ...tree.inputs.flatMap(ownTimes)]
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

function nameOf(node: ExplainTree): string {
  const text = node.label === '' ? node.kind : `${node.kind} ${node.label}`
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

type ReadStatistics = Pick<QueryStatistics, 'blocksFromDisk' | 'bytesFromDisk' | 'partsFromCache' | 'bytesFromCache'>

/** Returns statistics of the blocks that a query read from part files. */
function readsOf({ blocks, bytes, hits, hitBytes }: BlockReads): ReadStatistics {
  return { blocksFromDisk: blocks, bytesFromDisk: bytes, partsFromCache: hits, bytesFromCache: hitBytes }
}

function summarize(
  trees: readonly ExplainTree[],
  milliseconds: number,
  segments: readonly [number, number],
  reads: BlockReads,
): string {
  const [totalSegments, skipped] = segments
  const used = totalSegments === 0 ? '' : `${totalSegments - skipped} of ${totalSegments} segments were read.`
  const read = [used, blockReadsText(reads)].filter((text) => text !== '').join(' ')
  const shares = trees.flatMap(ownTimes)
  const sum = shares.reduce((all, share) => all + share.milliseconds, 0)
  const top = shares.reduce<Share | undefined>(
    (best, share) => (best === undefined || share.milliseconds > best.milliseconds ? share : best),
    undefined,
  )
  if (top === undefined || sum === 0) return `The query took ${ms(milliseconds)}. ${read}`.trimEnd()
  const percent = Math.round((top.milliseconds / sum) * 100)
  return `Of ${ms(milliseconds)}, ${percent} % went into \`${nameOf(top.node)}\`. ${read}`.trimEnd()
}

/**
 * Returns the statistics of a run, from the measurements of its fragments. With `isScoped`, they contain nothing that
 * depends on hidden rows.
 */
export function statisticsOf(
  budget: Budget,
  trees: readonly ExplainTree[],
  rows: number,
  milliseconds: number,
  isScoped = false,
): QueryStatistics {
  const sum = (counter: string): number => trees.reduce((all, tree) => all + total(tree, counter), 0)
  const reads = isScoped ? noReads() : budget.reads
  const segmentsTotal = sum('segmentsTotal')
  const segmentsSkipped = sum('segmentsSkipped')
  return {
    rows,
    scannedRows: isScoped ? 0 : budget.scannedRows,
    bytes: sum('bytesTouched'),
    segmentsTotal,
    segmentsSkipped,
    ...readsOf(reads),
    milliseconds,
    peakMemoryBytes: isScoped ? 0 : budget.peakBytes,
    summary: summarize(trees, milliseconds, [segmentsTotal, segmentsSkipped], reads),
  }
}
