/** An answer without HTTP: status, and value to encode as JSON (`undefined` for no body). */
export interface ApiAnswer {
  readonly status: number
  readonly body?: unknown
}

/** Thrown to reject a request, with an answer in Alertmanager's form. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: ApiAnswer

  constructor(status: number, body: unknown) {
    super(`refused with status ${status}`)
    this.answer = { status, body }
  }
}

/** Codes of validation errors in Alertmanager's answers with status 422. */
const codes = { type: 601, required: 602, items: 612 } as const

export function invalid(code: keyof typeof codes, message: string): Refusal {
  return new Refusal(422, { code: codes[code], message })
}

export function missing(name: string): Refusal {
  return invalid('required', `${name} in body is required`)
}

function unreadable(bodyName: string, reason: string): Refusal {
  return new Refusal(400, { code: 400, message: `parsing ${bodyName} body from "" failed, because ${reason}` })
}

/** Parses a body; `undefined` if it is empty. `bodyName` is for messages. Throws Refusal if it is not JSON. */
export function parseBody(bodyName: string, text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    const [first = ''] = text.trim()
    const isStart = /[-[{"\dtfn]/.test(first)
    throw unreadable(bodyName, isStart ? 'invalid JSON' : `invalid character '${first}' looking for beginning of value`)
  }
}

type Kind = 'object' | 'array' | 'string' | 'boolean' | 'number' | 'null'

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as Kind)
}

interface Kinds {
  readonly object: Readonly<Record<string, unknown>>
  readonly array: readonly unknown[]
  readonly string: string
  readonly boolean: boolean
}

/** Checks the type of a value; `null` counts as missing. `name` is the member's name in the error message. */
export function typed<K extends keyof Kinds>(
  bodyName: string,
  value: unknown,
  kind: K,
  name: string,
): Kinds[K] | undefined {
  if (value === undefined || value === null) return undefined
  if (kindOf(value) !== kind) throw unreadable(bodyName, `${name} is of the type ${kindOf(value)} and not ${kind}`)
  return value as Kinds[K]
}

/** Returns a member, ignoring the case of its name as Alertmanager does. An exact match takes precedence. */
export function memberOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name]
  const folded = name.toLowerCase()
  const found = Object.keys(object).find((each) => each.toLowerCase() === folded)
  return found === undefined ? undefined : object[found]
}
