let brought: File | null = null

/** Hands a file to the import, which reads it when its screen opens. */
export function bringFile(file: File): void {
  brought = file
}

/** The file that was brought, once. */
export function takeBroughtFile(): File | null {
  const file = brought
  brought = null
  return file
}
