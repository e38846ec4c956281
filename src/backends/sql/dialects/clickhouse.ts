import { defineDialect } from '../dialect.ts'
import { generic } from './generic.ts'

export const clickhouse = defineDialect(generic, { name: 'clickhouse' })
