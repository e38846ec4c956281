import process from 'node:process'
import { runStress } from './command.ts'

process.exitCode = await runStress(process.argv.slice(2), console.log)
