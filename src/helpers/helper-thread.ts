import { serveHelp } from './serve-help.ts'

serveHelp()
