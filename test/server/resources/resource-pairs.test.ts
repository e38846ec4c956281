// @module-tag slow
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createMemoryDocumentStore, type DocumentStore } from '../../../src/resources/index.ts'
import { inFolder, openStore } from '../../resources/stores.ts'
import { answerFaults } from '../harness/contract.ts'
import { JSON_HEADERS, send } from '../harness/harness.ts'
import { NOW_NS, resourceApp } from '../harness/resource-app.ts'

interface Step {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly bodyText?: string
  }
  readonly response: {
    readonly status: number
    readonly text?: string
    readonly contentType?: string
    /** Members that the body must contain; it may contain others. */
    readonly match?: object
    /** The complete expected body; `*` matches any string. */
    readonly same?: unknown
    readonly contains?: readonly string[]
  }
  /** Members of the answer to save under a name; later steps refer to them as `{{name}}`. */
  readonly save?: Readonly<Record<string, string>>
}

interface CaseFile {
  readonly about: string
  /** Each case starts with an empty store. */
  readonly cases: readonly { readonly name: string; readonly steps: readonly Step[] }[]
}

const folder = new URL('../../http/resources/', import.meta.url)

function filled<T>(value: T, saved: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => saved.get(name) ?? `?${name}`)
  return JSON.parse(text) as T
}

function withAnyText(value: unknown): unknown {
  if (value === '*') return expect.any(String)
  if (Array.isArray(value)) return value.map(withAnyText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withAnyText(member)]))
}

async function run(steps: readonly Step[], store: DocumentStore): Promise<void> {
  const app = resourceApp(store)
  const saved = new Map<string, string>()
  for (const given of steps) {
    const { name, request, response, save = {} } = filled(given, saved)
    const { method, path, headers = {}, body, bodyText } = request
    const sent = await send(app, path, {
      method,
      headers: { ...JSON_HEADERS, ...headers },
      body: bodyText ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const about = `${name}: ${sent.text}`
    expect(sent.status, about).toBe(response.status)
    if (response.text !== undefined) expect(sent.text, about).toBe(response.text)
    if (response.contentType !== undefined) expect(sent.headers.get('content-type')).toBe(response.contentType)
    if (response.match !== undefined) expect(sent.body, about).toMatchObject(response.match)
    if (response.same !== undefined) expect(sent.body, about).toEqual(withAnyText(response.same))
    for (const piece of response.contains ?? []) expect(sent.text, about).toContain(piece)
    for (const [as, member] of Object.entries(save)) {
      saved.set(as, String((sent.body as Readonly<Record<string, unknown>>)[member]))
    }
    const contentType = sent.headers.get('content-type') ?? ''
    expect(answerFaults(path, method, sent.status, contentType, sent.body), about).toBeUndefined()
  }
}

const stores: readonly (readonly [string, (path: string) => DocumentStore | Promise<DocumentStore>])[] = [
  ['in memory', () => createMemoryDocumentStore(() => NOW_NS)],
  ['in a folder', (path) => openStore(path, () => NOW_NS)],
]

for (const file of readdirSync(folder)) {
  const { about, cases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as CaseFile
  describe(`${file}: ${about}`, () => {
    for (const [where, open] of stores) {
      test.each(cases.map((each) => [each.name, each.steps] as const))(`%s, ${where}`, async (_, steps) => {
        expect(steps.length).toBeGreaterThan(1)
        await inFolder(async (path) => {
          const store = await open(path)
          await run(steps, store)
          await store.close()
        })
      })
    }
  })
}
