/** One line of `data.ndjson`: a resource, a scope, or a span. */
type Line =
  | { readonly resource: number; readonly attrs: Attrs }
  | {
      readonly scope: number
      readonly name: string
      readonly version: string
      readonly attrs?: Attrs
      readonly trace?: undefined
    }
  | SpanLine

type Attrs = Readonly<Record<string, unknown>>

interface SpanLine {
  readonly trace: string
  readonly span: string
  readonly parent: string
  readonly res: number
  readonly scope: number
  readonly name: string
  readonly kind: number
  readonly start: string
  readonly dur: number
  readonly status: number
  readonly msg?: string
  readonly state?: string
  readonly attrs?: Attrs
  readonly events?: readonly { readonly t: number; readonly name: string; readonly attrs?: Attrs }[]
  readonly links?: readonly { readonly trace: string; readonly span: string; readonly attrs?: Attrs }[]
}

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number' || typeof value === 'bigint') return { intValue: String(value) }
  if (typeof value === 'boolean') return { boolValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  const { d, kv, b } = (value ?? {}) as { readonly d?: number; readonly kv?: Attrs; readonly b?: string }
  if (d !== undefined) return { doubleValue: d }
  if (kv !== undefined) return { kvlistValue: { values: keyValues(kv) } }
  return b === undefined ? {} : { bytesValue: b }
}

function keyValues(attrs: Attrs = {}): readonly object[] {
  return Object.entries(attrs).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function spanOf(line: SpanLine): object {
  const start = BigInt(line.start)
  return {
    traceId: line.trace.padStart(32, '0'),
    spanId: line.span.padStart(16, '0'),
    parentSpanId: line.parent,
    name: line.name,
    kind: line.kind,
    startTimeUnixNano: line.start,
    endTimeUnixNano: String(start + BigInt(line.dur)),
    status: { code: [0, 1, 2][line.status], message: line.msg },
    traceState: line.state,
    attributes: keyValues(line.attrs),
    events: line.events?.map(({ t, name, attrs }) => ({
      timeUnixNano: String(start + BigInt(t)),
      name,
      attributes: keyValues(attrs),
    })),
    links: line.links?.map(({ trace, span, attrs }) => ({
      traceId: trace.padStart(32, '0'),
      spanId: span.padStart(16, '0'),
      attributes: keyValues(attrs),
    })),
  }
}

/** JSON reviver that returns a `bigint` for integers that a double cannot represent. */
function exactInteger(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** Returns the spans of the vectors as OTLP/JSON export requests with about `size` spans each. */
export function exportsOf(data: string, size = 1000): readonly object[] {
  const lines = data
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line, exactInteger) as Line)
  const resources = new Map<number, Attrs>()
  const scopes = new Map<number, object>()
  const groups: object[] = []
  for (const line of lines) {
    if ('resource' in line) resources.set(line.resource, line.attrs)
    else if (line.trace === undefined) {
      const { name, version, attrs } = line
      scopes.set(line.scope, { name, version, attributes: keyValues(attrs) })
    } else
      groups.push({
        resource: { attributes: keyValues(resources.get(line.res)) },
        scopeSpans: [{ scope: scopes.get(line.scope), spans: [spanOf(line)] }],
      })
  }
  return Array.from({ length: Math.ceil(groups.length / size) }, (_, i) => ({
    resourceSpans: groups.slice(i * size, (i + 1) * size),
  }))
}
