import { servePacking } from './serve-packing.ts'

servePacking()
