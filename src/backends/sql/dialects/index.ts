import type { Dialect } from '../dialect.ts'
import { generic } from './generic.ts'
import { sqlite } from './sqlite.ts'

export const dialects: readonly Dialect[] = [generic, sqlite]
