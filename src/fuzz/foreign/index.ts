import { foreignFuzzer } from './fuzzer.ts'
import { foreignScopeFuzzer } from './scopes.ts'
import { clickhouseTestbed } from './testbeds/clickhouse.ts'
import { duckdbTestbed } from './testbeds/duckdb.ts'
import { postgresTestbed } from './testbeds/postgres.ts'
import { sqliteTestbed } from './testbeds/sqlite.ts'
import type { Testbed } from './testbed.ts'

/** The databases over whose tables questions are compared. */
export const testbeds: readonly Testbed[] = [duckdbTestbed, clickhouseTestbed, postgresTestbed, sqliteTestbed]

export const foreignFuzzers = testbeds.map(foreignFuzzer)

export const foreignScopeFuzzers = testbeds.map((testbed) => foreignScopeFuzzer(testbed))
