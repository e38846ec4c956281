// @module-tag slow
import { expect, test } from 'vitest'
import { agents } from './list.ts'
import { tryAgents } from './try-agents.ts'

test('common agents send to a server without changes, and the rows are found', async () => {
  const tried = await tryAgents(agents.filter(({ name }) => name === 'curl' || name === 'logger'))
  expect(
    tried
      .filter(({ outcome }) => outcome.kind === 'failed')
      .map(({ agent, outcome }) => [agent.name, agent.protocol, outcome.text]),
  ).toEqual([])
  expect(tried.length).toBeGreaterThan(6)
})
