import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { withReadmeProgram } from './readme-program.ts'

/** Program that prints the example's results as JSON. It runs in a separate process, without a code transformer. */
const use = (file: string): string => `
import { printPlan } from '${new URL('../../../src/plan/index.ts', import.meta.url).href}'
import { FindParser, completeFind, lowerFind, parseFind } from '${file}'
const places = ({ diagnostics }) => diagnostics.map(({ code, message, origin }) => [code, message, origin.span.start, origin.span.end])
const whole = parseFind('logs where status >= 500 and (path = "/api" or count = 2) count by host, count limit 5')
const broken = parseFind('logs where status > 500 count by limit 5')
const empty = parseFind('')
const deep = parseFind('logs where ' + '('.repeat(65) + 'a = b')
new FindParser(true)
console.log(JSON.stringify({
  plan: printPlan(lowerFind(whole.ast)),
  whole: places(whole),
  broken: places(broken),
  kept: broken.ast,
  deep: places(deep),
  empty: places(empty),
  next: [completeFind('logs where a = 1 '), completeFind('logs count by host')],
}))
`

test('the language of the README parses, recovers, lowers and completes', async () => {
  const output = await withReadmeProgram((file) => {
    const args = ['--input-type=module', '--eval', use(file)]
    return Promise.resolve(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  })
  expect(JSON.parse(output)).toMatchInlineSnapshot(`
    {
      "broken": [
        [
          "find/unexpected",
          "\`>\` does not belong here. Expected \`=\`, \`>=\`.",
          18,
          19,
        ],
        [
          "find/unexpected",
          "\`5\` does not belong here. Expected \`EOF\`.",
          39,
          40,
        ],
      ],
      "deep": [
        [
          "find/too-deep",
          "Parentheses nest deeper than 64.",
          75,
          76,
        ],
      ],
      "empty": [
        [
          "find/unexpected",
          "The query ends too early. Expected \`word\`.",
          0,
          0,
        ],
      ],
      "kept": {
        "table": "logs",
      },
      "next": [
        [
          "and",
          "or",
          "count",
          "limit",
        ],
        [
          ",",
          "limit",
        ],
      ],
      "plan": "limit 5
      aggregate by (host, count) count() as count
        filter (status text-ge "500" and (path = "/api" as text or count = "2" as text))
          scan logs always",
      "whole": [],
    }
  `)
})
