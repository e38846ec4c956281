/**
 * Programs that others wrote send to a started server, as their documentation says, and the rows are searched for:
 * `npm run trial -- agents [--path FOLDER:FOLDER] [--only NAME]`. Folders are searched for programs before the path, and for packages;
 * `LD_LIBRARY_PATH` and the like are handed on to them.
 */
import { parseArgs } from 'node:util'
import { agents } from './list.ts'
import { tryAgents } from './try-agents.ts'

const { values } = parseArgs({ options: { path: { type: 'string' }, only: { type: 'string' } } })
const chosen = agents.filter(({ name }) => values.only === undefined || name === values.only)
const tried = await tryAgents(
  chosen,
  (values.path ?? '').split(':').filter((folder) => folder !== ''),
)
const width = Math.max(...tried.map(({ agent }) => agent.name.length + agent.protocol.length + 2))
for (const { agent, outcome } of tried)
  console.log(`${`${agent.name}, ${agent.protocol}`.padEnd(width)}  ${outcome.text}`)
const failed = tried.filter(({ outcome }) => outcome.kind === 'failed')
const found = tried.filter(({ outcome }) => outcome.kind !== 'missing')
console.log(`${found.length} of ${tried.length} were there to be tried, ${failed.length} failed`)
if (failed.length > 0 || found.length === 0) process.exitCode = 1
