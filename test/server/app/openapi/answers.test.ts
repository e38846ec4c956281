import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../../src/base/index.ts'
import { operationsOf } from '../bad-requests/operations.ts'
import { wholeApp } from '../bad-requests/whole-app.ts'
import type { Logged } from '../../harness/harness.ts'
import { answersOf } from './answers.ts'
import { OpenApi, isTyped } from './document.ts'
import { mutate, mutationKinds, sitesOf } from './mutations.ts'

const logged: Logged[] = []
const app = wholeApp(logged)
const api = await OpenApi.of(app)
const operations = await operationsOf(app)
const given = await answersOf(app, operations)

describe('answers and the OpenAPI document', () => {
  test('every operation was asked, with success and, where it can fail, without', () => {
    for (const { name, template, method, takes } of operations) {
      const statuses = given.filter(({ operation }) => operation.name === name).map(({ status }) => status)
      // A WebSocket cannot be opened without a network connection.
      const opensWebSocket = '101' in present(api.document.paths[template]?.[method.toLowerCase()]).responses
      expect(opensWebSocket || statuses.some((status) => status < 300), name).toBe(true)
      if (takes !== 'nothing')
        expect(
          statuses.some((status) => status >= 400),
          name,
        ).toBe(true)
    }
    expect(given.filter(({ status }) => status >= 500).map(({ about }) => about)).toEqual([])
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each(given.map((each) => [each.about.slice(0, 120), each] as const))(
    '%s',
    (_, { operation, status, contentType, body, about }) => {
      const { responses } = present(api.document.paths[operation.template]?.[operation.method.toLowerCase()])
      expect(responses[status], about).toBeDefined()
      if (body === undefined) {
        expect(responses[status]?.content, about).toBeUndefined()
        return
      }
      const schema = api.schemaOf(operation.template, operation.method, status, contentType)
      if (schema === undefined) throw new Error(`${contentType} is not in the document: ${about}`)
      expect(api.faults(schema, body), about).toBeUndefined()
    },
  )

  test('nine of ten schema nodes say what a value is', () => {
    const nodes = api.nodes()
    const untyped = nodes.filter(([, schema]) => !isTyped(schema))
    const share = 1 - untyped.length / nodes.length
    console.log(
      `${nodes.length} schema nodes, ${(share * 100).toFixed(1)} % typed; any JSON: ${untyped.map(([at]) => at).join(', ')}`,
    )
    expect(nodes.length).toBeGreaterThan(1000)
    expect(share).toBeGreaterThanOrEqual(0.9)
  })

  test('an answer that was tampered with no longer fits', () => {
    const random = seededRandom(20_261_121)
    const answers = given.flatMap(({ operation, status, contentType, body }) => {
      const schema = api.schemaOf(operation.template, operation.method, status, contentType)
      if (schema === undefined || typeof body !== 'object') return []
      return [{ schema, body, name: operation.name, ...sitesOf(api, schema, body) }]
    })
    const operationsWithAnswers = new Set(answers.map(({ name }) => name))
    const found = new Map(mutationKinds.map((kind) => [kind, { made: 0, seen: 0 }]))
    const missed = new Map<string, number>()
    let made = 0
    let seen = 0
    while (made < 300 * operationsWithAnswers.size) {
      const { schema, body, sites, name } = random.pick(answers)
      const mutation = mutate(body, sites, random)
      if (mutation === undefined) continue
      const counts = found.get(mutation.kind) ?? { made: 0, seen: 0 }
      made++
      counts.made++
      if (api.faults(schema, mutation.answer) === undefined) {
        const at = `${name} ${mutation.kind} at ${mutation.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.')}`
        missed.set(at, (missed.get(at) ?? 0) + 1)
      } else {
        seen++
        counts.seen++
      }
    }
    const sites = answers.reduce((sum, each) => sum + each.sites.length, 0)
    const free = answers.reduce((sum, { freeCount }) => sum + freeCount, 0)
    const lines = [...found].map(([kind, counts]) => `  ${kind}: ${counts.seen} of ${counts.made}`)
    const often = [...missed].toSorted(([, a], [, b]) => b - a).slice(0, 12)
    console.log(
      [
        `${seen} of ${made} mutations of ${answers.length} answers of ${operationsWithAnswers.size} operations are found (${((seen / made) * 100).toFixed(1)} %)`,
        ...lines,
        `${sites} places of which the document says something, ${free} where any JSON may stand`,
        ...often.map(([at, count]) => `  not found: ${count} × ${at}`),
      ].join('\n'),
    )
    expect(operationsWithAnswers.size).toBeGreaterThan(45)
    expect(Math.min(...[...found.values()].map((counts) => counts.made))).toBeGreaterThan(10)
    expect(seen / made).toBeGreaterThanOrEqual(0.95)
  })
})
