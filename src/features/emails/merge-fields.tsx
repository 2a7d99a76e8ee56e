import { Menu, Text } from '@mantine/core'
import { fieldLabel, mergeFields, unknownFields } from '#domain/mail-merge.ts'
import classes from './emails.module.css'

/** The fields in a menu; the chosen one is given as it stands in a text. */
export function MergeFieldItems({ onInsert }: { onInsert: (text: string) => void }) {
  return Object.keys(mergeFields).map((field) => (
    <Menu.Item key={field} onClick={() => onInsert(`{{${field}}}`)}>
      {fieldLabel(field)}
    </Menu.Item>
  ))
}

/** Says which words in braces are no field, probably misspelled. */
export function UnknownFields({ text }: { text: string }) {
  const unknown = unknownFields(text).map((field) => `{{${field}}}`)
  return (
    <Text size="xs" role="status" className={classes.unknown ?? ''}>
      {unknown.length === 1 && `${unknown[0]} isn’t a field and stays as typed.`}
      {unknown.length > 1 && `${unknown.join(', ')} aren’t fields and stay as typed.`}
    </Text>
  )
}
