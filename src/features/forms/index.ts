export { type FormName, type Linked, openForm, useOpenForm } from './open-form.ts'
