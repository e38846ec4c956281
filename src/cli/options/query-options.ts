import { Option, type Command } from 'commander'
import { formatNames, type FormatName } from '../../ingest/index.ts'
import type { Dialect } from '../../plan/index.ts'
import type { QueryText } from '../logql/query-text.ts'
import {
  colorWords,
  outputNames,
  zoneNamed,
  type ColorWord,
  type OutputFormat,
  type OutputName,
} from '../output/index.ts'
import { serverOptions } from '../remote/ask-server.ts'
import { backendNames, type BackendName } from '../session.ts'
import { catalogOptions } from './catalog-option.ts'
import { choice, dialectNames } from './choice-option.ts'
import { excluding, needing } from './conditions.ts'
import { addRecordOptions } from './record-options.ts'
import { tableOption, type TableArguments } from './table-option.ts'
import { rangeOptions, timeoutHelp, type RangeArguments } from './time-option.ts'

export interface QueryArguments extends RangeArguments, TableArguments {
  readonly format?: OutputName
  /** Format if no option names one. */
  readonly output?: OutputFormat | undefined
  readonly color?: ColorWord
  readonly input: FormatName
  readonly backend: BackendName
  readonly dialect: Dialect
  readonly explain?: boolean
  readonly stats?: boolean
  readonly showTz?: string
  readonly spreadsheet?: boolean
  readonly quiet?: boolean
  readonly withFileName?: boolean
  readonly timeout?: string
  readonly follow?: boolean
  readonly fromStart?: boolean
  readonly catalog?: string
  readonly data?: string
  readonly backendId?: string
  readonly requirePushdown?: number
  readonly server?: string | undefined
  readonly key?: string | undefined
  /** Interval between the points of a metric query. */
  readonly step?: string
  /** The parsed query, if it is in another language. */
  readonly reads?: QueryText | undefined
}

export const filesHelp =
  "files, folders or quoted patterns such as 'logs/**/*.gz': JSON, CSV, TSV, logfmt or plain text, compressed or not; `-` or none is standard input"

function dialectHelp(dialects: readonly string[]): string {
  const logql = dialects.includes('logql') ? '; logql is the language of Loki' : ''
  return `dialect of the query; logsql combines all filters with AND${logql}`
}

/** Adds the options of commands that run queries over files: selection of rows, and choice of engine. */
export function runOptions(command: Command, dialects: readonly string[] = dialectNames): Command {
  const ofFiles = (option: Option): Option => excluding(option, '--server', '--catalog', '--data')
  // The zone also applies to the time range, so the zone option is valid for catalogs and data folders too.
  const ofRecords = (option: Option, word: string): Option =>
    word === 'tz' ? excluding(option, '--server') : ofFiles(option)
  return catalogOptions(addRecordOptions(rangeOptions(command), ofRecords))
    .addOption(ofFiles(choice('--input <name>', 'format of the files', formatNames).default('auto')))
    .addOption(ofFiles(new Option('--with-file-name', 'add the path of its file to every row, as `_file`')))
    .addOption(
      excluding(
        choice('--backend <name>', 'engine that runs the query', backendNames).default('columnar'),
        '--server',
        '--catalog',
      ),
    )
    .addOption(choice('--dialect <name>', dialectHelp(dialects), dialects).default('native'))
    .option('--timeout <time>', `${timeoutHelp} (default: 60s; no limit for streams)`)
    .option('--quiet', 'do not report bad lines and warnings')
}

/** Adds the options of every command that answers a query over files. */
export function fileQueryOptions(
  command: Command,
  formats: readonly string[] = outputNames,
  dialects?: readonly string[],
): Command {
  return runOptions(command, dialects)
    .addOption(
      choice(
        '--format <name>',
        'format of the answer: table on a terminal, else ndjson; chart draws a bar for the last number of each row',
        formats,
      ),
    )
    .option('--show-tz <zone>', 'zone in which times are shown (default: UTC)', (zone: string) =>
      zoneNamed(zone, '--show-tz'),
    )
    .option(
      '--spreadsheet',
      'with --format csv: put a quote before each cell that a spreadsheet would run as a formula',
    )
    .addOption(choice('--color <when>', 'colour levels and times', colorWords).default('auto'))
}

/** Adds the options of a query over files, and those of a query on a running server. */
export function queryOptions(command: Command, formats?: readonly string[], dialects?: readonly string[]): Command {
  return serverOptions(fileQueryOptions(command, formats, dialects))
    .addOption(tableOption(command))
    .option(
      '--follow',
      'continue with appended lines, also after log rotation; on a terminal, a table of `stats` is redrawn',
    )
    .addOption(needing(new Option('--from-start', 'read the existing lines first'), '--follow'))
    .addOption(excluding(new Option('--explain', 'show on standard error which engine ran which step'), '--server'))
    .addOption(
      excluding(new Option('--stats', 'show on standard error what the query read and how long it took'), '--server'),
    )
}
