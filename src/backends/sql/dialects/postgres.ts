import { defineDialect } from '../dialect.ts'
import { generic } from './generic.ts'

export const postgres = defineDialect(generic, { name: 'postgres' })
