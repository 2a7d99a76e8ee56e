import type { InterfaceFunction } from './interface-function.ts'
import { readingFunctions } from './reading.ts'
import { writingFunctions } from './writing.ts'

/** Everything that programs and assistants can do: the one definition of the REST interface, its description and the tools. */
export const interfaceFunctions: InterfaceFunction[] = [...readingFunctions, ...writingFunctions]

export function functionNamed(name: string): InterfaceFunction | undefined {
  return interfaceFunctions.find((each) => each.name === name)
}
