export { newShortcut } from './new-shortcut.ts'
export { type FormName, type Linked, openForm, useOpenForm } from './open-form.ts'
