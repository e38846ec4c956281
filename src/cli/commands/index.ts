import type { CommandEntry } from '../command.ts'

/** The commands in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  { name: 'query', summary: 'Answer a log query over files or standard input', load: () => import('./query.ts') },
  {
    name: 'prompt',
    summary: 'Answer queries as they are typed; `sluice` and `sluice FILE` do so',
    load: () => import('./prompt.ts'),
  },
  { name: 'fields', summary: 'Which fields files have, and in how many rows', load: () => import('./fields.ts') },
  { name: 'values', summary: 'The most frequent values of a field', load: () => import('./values.ts') },
  { name: 'facets', summary: 'The most frequent values of every field', load: () => import('./facets.ts') },
  { name: 'hits', summary: 'How many rows a query finds, step by step', load: () => import('./hits.ts') },
  { name: 'export', summary: 'Write the answer of a query into a file', load: () => import('./export.ts') },
  { name: 'tail', summary: 'Show logs of a server as they arrive', load: () => import('./tail.ts') },
  { name: 'promql', summary: 'Answer a metric query over files or standard input', load: () => import('./promql.ts') },
  { name: 'explain', summary: 'Show how a query would run', load: () => import('./explain.ts') },
  { name: 'compile', summary: 'Write a query as a statement of a database', load: () => import('./compile.ts') },
  { name: 'fmt', summary: 'Lay out a query, keeping its comments', load: () => import('./fmt.ts') },
  {
    name: 'convert',
    summary: 'Write a structured query as a log query, or the other way round',
    load: () => import('./convert.ts'),
  },
  { name: 'lint', summary: 'Say what is wrong with a query or will make it slow', load: () => import('./lint.ts') },
  { name: 'lsp', summary: 'Serve editors: diagnostics, completion, fixes', load: () => import('./lsp.ts') },
  { name: 'serve', summary: 'Serve the HTTP API', load: () => import('./serve.ts') },
  { name: 'catalog', summary: 'Check or propose the mapping of other databases', load: () => import('./catalog.ts') },
  { name: 'import', summary: 'Put files into the data folder of a server', load: () => import('./import.ts') },
  {
    name: 'snapshot',
    summary: 'Make another folder of what a data folder holds, also while a server runs',
    load: () => import('./snapshot.ts'),
  },
  {
    name: 'repair',
    summary: 'Say what of a damaged data folder can be saved, and save it',
    load: () => import('./repair.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete rows for ever, or count those that would be',
    load: () => import('./delete.ts'),
  },
  { name: 'keys', summary: 'Make, list and revoke API keys', load: () => import('./keys.ts') },
  {
    name: 'audit',
    summary: 'Show who changed monitors, silences and policies, and who deleted rows',
    load: () => import('./audit.ts'),
  },
  {
    name: 'config',
    summary: 'Show the options set by environment and configuration',
    load: () => import('./config.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    load: () => import('./completion.ts'),
  },
  { name: 'help', summary: 'Describe a command, pipe, filter or function', load: () => import('./help.ts') },
  { name: 'man', summary: 'Print the manual page', load: () => import('./man.ts') },
  { name: 'bench', summary: 'Time the queries of a file over files', load: () => import('./bench.ts') },
  { name: 'fuzz', summary: 'Check laws over random queries, data and policies', load: () => import('./fuzz.ts') },
]
