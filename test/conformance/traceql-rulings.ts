import type { Verdict } from './outcome.ts'
import type { TraceqlVector } from './traceql-api.ts'

/**
 * Deliberate differences from the reference implementation. The section "TraceQL" of grammar/semantics.md explains
 * them.
 */
const rulings: readonly { readonly reason: string; readonly isAbout: (asked: Asked) => boolean }[] = [
  {
    reason: 'numbers are compared as numbers',
    isAbout: ({ text, vector }) => vector.class === 'attribute' && /\.[\w.]+ (?:[=<>]|!=|<=|>=) -?[\d.]+/.test(text),
  },
  {
    reason: 'a field of no scope that is missing is shown once',
    isAbout: ({ text }) => /[{(&|] ?\.\w+ = nil/.test(text),
  },
  { reason: '`!` is logic', isAbout: ({ text }) => /!\(/.test(text) },
  { reason: 'a power is calculated as written', isAbout: ({ text }) => text.includes('^') },
  {
    reason: 'a literal on the left means the mirrored comparison',
    isAbout: ({ text }) => /[{&|(] ?(?:\d[\w.]*|"[^"]*") (?:=|!=|<|>|<=|>=) [.a-z]/.test(text),
  },
  {
    reason: 'a missing field fulfils no comparison with another field',
    isAbout: ({ text }) => /(?:=|!=|<|>) (?:span|resource)?\.[a-z]/.test(text),
  },
  {
    reason: 'a selected field that is missing is left out',
    isAbout: ({ text }) => /(?:by|select)\(.*http\.(?:status_code|method|url|route)/.test(text),
  },
  {
    reason: 'the children of a span are numbered in the order of their starts',
    isAbout: ({ text }) => /select\(.*nestedSet/.test(text),
  },
  {
    reason: 'another program, and paths that belong to no product, have answers of their own',
    isAbout: ({ vector: { class: of, path = '', status } }) =>
      path.endsWith('/buildinfo') || (status === 404 && of !== 'search'),
  },
  { reason: 'series that a limit cuts are chosen by chance', isAbout: ({ text }) => text.includes('maxSeries=') },
  {
    reason: 'a trace is answered in its usual form',
    isAbout: ({ vector }) => vector.headers?.['Accept'] === 'application/vnd.grafana.llm',
  },
]

interface Asked {
  readonly vector: TraceqlVector
  /** The query, or the parameters of a request without one. */
  readonly text: string
}

function textOf({ query, params }: TraceqlVector): string {
  if (query !== undefined) return query
  return Array.isArray(params) ? params.map((pair: readonly string[]) => pair.join('=')).join('&') : ''
}

/** Turns a failed check into a skip if a deliberate difference explains it. */
export function ruledTraceql(vector: TraceqlVector, verdict: Verdict): Verdict {
  if (verdict === undefined || 'skip' in verdict) return verdict
  const ruling = rulings.find(({ isAbout }) => isAbout({ vector, text: textOf(vector) }))
  return ruling === undefined ? verdict : { skip: ruling.reason }
}
