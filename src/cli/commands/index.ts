import type { CommandEntry } from '../command.ts'

/** Commands in the order of the help. */
export const commands: readonly CommandEntry[] = [
  { name: 'query', summary: 'Answer a log query over files or standard input', load: () => import('./query.ts') },
  {
    name: 'prompt',
    summary: 'Open an interactive prompt, as `sluice` and `sluice FILE` do',
    load: () => import('./prompt.ts'),
  },
  { name: 'open', summary: 'Open files in the console, in a browser', load: () => import('./open.ts') },
  {
    name: 'fields',
    summary: 'List the fields of files, with the number of rows that have each',
    load: () => import('./fields.ts'),
  },
  { name: 'values', summary: 'List the most frequent values of a field', load: () => import('./values.ts') },
  { name: 'facets', summary: 'List the most frequent values of every field', load: () => import('./facets.ts') },
  { name: 'hits', summary: 'Count the rows of a query over time', load: () => import('./hits.ts') },
  { name: 'export', summary: 'Write the answer of a query to a file', load: () => import('./export.ts') },
  { name: 'tail', summary: 'Show logs of a server as they arrive', load: () => import('./tail.ts') },
  { name: 'promql', summary: 'Answer a metric query over files or standard input', load: () => import('./promql.ts') },
  { name: 'explain', summary: 'Show how a query would run', load: () => import('./explain.ts') },
  { name: 'compile', summary: 'Compile a query to a SQL statement', load: () => import('./compile.ts') },
  { name: 'fmt', summary: 'Format a query, with its comments', load: () => import('./fmt.ts') },
  {
    name: 'convert',
    summary: 'Convert a JSON pipeline to a query text, or a text to a pipeline',
    load: () => import('./convert.ts'),
  },
  { name: 'lint', summary: 'Report errors in a query, and what makes it slow', load: () => import('./lint.ts') },
  { name: 'mcp', summary: 'Answer an agent over files or a server', load: () => import('./mcp.ts') },
  { name: 'lsp', summary: 'Run a language server for editors', load: () => import('./lsp.ts') },
  {
    name: 'monitors',
    summary: 'Test monitors, and backtest them over stored rows',
    load: () => import('./monitors.ts'),
  },
  { name: 'rules', summary: 'Check and test rule files of Prometheus', load: () => import('./rules.ts') },
  { name: 'serve', summary: 'Serve the HTTP API', load: () => import('./serve.ts') },
  {
    name: 'doctor',
    summary: 'Check the set-up of a server, and say what to do',
    readsSettings: true,
    load: () => import('./doctor.ts'),
  },
  { name: 'catalog', summary: 'Propose or check a catalog of another database', load: () => import('./catalog.ts') },
  { name: 'import', summary: 'Load files into the data folder of a server', load: () => import('./import.ts') },
  {
    name: 'snapshot',
    summary: 'Copy a data folder, also while its server runs',
    load: () => import('./snapshot.ts'),
  },
  {
    name: 'repair',
    summary: 'Check a damaged data folder, and save what is whole',
    load: () => import('./repair.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete rows permanently, or count the rows that would be deleted',
    load: () => import('./delete.ts'),
  },
  { name: 'keys', summary: 'Create, list and revoke API keys', load: () => import('./keys.ts') },
  {
    name: 'audit',
    summary: 'Show who changed monitors, silences and policies, and who deleted rows',
    load: () => import('./audit.ts'),
  },
  {
    name: 'config',
    summary: 'Show options from the environment and the configuration',
    load: () => import('./config.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    load: () => import('./completion.ts'),
  },
  { name: 'help', summary: 'Describe a command, pipe, filter or function', load: () => import('./help.ts') },
  { name: 'man', summary: 'Print the manual page', load: () => import('./man.ts') },
  { name: 'bench', summary: 'Measure the queries of a file over your data', load: () => import('./bench.ts') },
  { name: 'fuzz', summary: 'Check laws over random queries, data and policies', load: () => import('./fuzz.ts') },
]
