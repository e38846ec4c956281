import {
  filterDefinitions,
  grammarKeywords,
  mathFunctions,
  pipeDefinitions,
  statsForms,
  windowFunctions,
} from '../lang/log/index.ts'

function words(names: Iterable<string>): string {
  return [...new Set(names)].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|')
}

function keywords(): readonly string[] {
  const names = new Set([...pipeDefinitions, ...filterDefinitions].flatMap((definition) => definition.names))
  return grammarKeywords().filter((word) => !names.has(word) && !['and', 'or', 'not'].includes(word))
}

/** Returns a TextMate grammar of the log language as JSON, generated from the lists of the language. */
export function logTextMateGrammar(): string {
  const pipes = words(pipeDefinitions.flatMap(({ names }) => names))
  const filters = words(filterDefinitions.flatMap(({ names }) => names))
  const functions = words([...statsForms.keys(), ...mathFunctions.keys(), ...windowFunctions.keys()])
  const grammar = {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'Sluice log query',
    scopeName: 'source.sluice-log',
    fileTypes: ['slq'],
    patterns: [
      { name: 'comment.line.number-sign.sluice-log', match: '#.*$' },
      {
        name: 'string.quoted.double.sluice-log',
        begin: '"',
        end: '"',
        patterns: [{ name: 'constant.character.escape.sluice-log', match: '\\\\.' }],
      },
      {
        name: 'string.quoted.single.sluice-log',
        begin: "'",
        end: "'",
        patterns: [{ name: 'constant.character.escape.sluice-log', match: '\\\\.' }],
      },
      { name: 'string.quoted.other.sluice-log', begin: '`', end: '`' },
      { name: 'variable.parameter.sluice-log', match: '(?<![\\p{L}\\p{Nd}_"\'`$])\\$[A-Za-z_][A-Za-z0-9_]*' },
      {
        match: `(\\|)\\s*((?i:${pipes}))(?![\\p{L}\\p{Nd}_.:/-])`,
        captures: {
          1: { name: 'keyword.operator.pipe.sluice-log' },
          2: { name: 'keyword.control.pipe.sluice-log' },
        },
      },
      { name: 'variable.other.field.sluice-log', match: '[\\p{L}\\p{Nd}_][\\p{L}\\p{Nd}_.*/-]*(?=:)' },
      { name: 'support.function.filter.sluice-log', match: `(?<![\\p{L}\\p{Nd}_.])(?i:${filters})(?=[(\\[])` },
      { name: 'support.function.sluice-log', match: `(?<![\\p{L}\\p{Nd}_.])(?i:${functions})(?=\\()` },
      {
        name: 'keyword.operator.logical.sluice-log',
        match: '(?<![\\p{L}\\p{Nd}_.])(?i:and|or|not)(?![\\p{L}\\p{Nd}_.:])',
      },
      {
        name: 'keyword.other.sluice-log',
        match: `(?<![\\p{L}\\p{Nd}_.:(,|])\\b(?i:${words(keywords())})(?![\\p{L}\\p{Nd}_.:])`,
      },
      { name: 'constant.numeric.sluice-log', match: '(?<![\\p{L}\\p{Nd}_])[0-9][\\p{Nd}_.]*[\\p{L}]*' },
      { name: 'keyword.operator.sluice-log', match: '!=|!~|=~|<=|>=|[=~<>!|*+/%^&-]' },
    ],
  }
  return `${JSON.stringify(grammar, null, 2)}\n`
}
