/** One peer in a process of its own, which loads the data, then runs the questions that messages name. */
import { isPeerName, peers, type PeerName } from './index.ts'
import type { AnswerRow, Asked, BoundQuestion, PeerBytes, PeerOptions } from './peer.ts'

export interface ChildOptions extends PeerOptions {
  readonly peer: PeerName
}

export type ChildQuestion =
  | { readonly kind: 'ask'; readonly bound: BoundQuestion }
  /** Times the last question. */
  | { readonly kind: 'time'; readonly budgetMs: number }

export type ChildAnswer =
  | { readonly kind: 'loaded'; readonly seconds: number; readonly bytes: PeerBytes }
  | { readonly kind: 'answered'; readonly rows: readonly AnswerRow[]; readonly firstMs: number }
  /** The engine cannot answer this question. */
  | { readonly kind: 'unasked' }
  | { readonly kind: 'timed'; readonly medianMs: number }
  | { readonly kind: 'failed'; readonly message: string }

function send(message: ChildAnswer): void {
  process.send?.(message)
}

async function answer(question: ChildQuestion): Promise<ChildAnswer> {
  if (question.kind === 'time') {
    if (last === undefined) return { kind: 'failed', message: 'nothing was asked before' }
    return { kind: 'timed', medianMs: await last.medianMs(question.budgetMs) }
  }
  last = await peer.ask(question.bound)
  if (last === undefined) return { kind: 'unasked' }
  return { kind: 'answered', rows: last.rows, firstMs: last.firstMs }
}

const failed = (error: unknown): ChildAnswer => ({
  kind: 'failed',
  message: error instanceof Error ? error.message : String(error),
})

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
if (!isPeerName(options.peer)) throw new Error(`There is no peer ${String(options.peer)}.`)
const makePeer = await peers[options.peer].make()
const peer = await makePeer(options)
let last: Asked | undefined
try {
  const { residentBytes: emptyBytes } = await peer.bytes()
  const seconds = await peer.load()
  send({ kind: 'loaded', seconds, bytes: { ...(await peer.bytes()), emptyBytes } })
} catch (error) {
  send(failed(error))
}
process.on('message', (message) => {
  void answer(message as ChildQuestion)
    .catch(failed)
    .then(send)
})
process.on('disconnect', () => {
  void peer.close().finally(() => process.exit(0))
})
