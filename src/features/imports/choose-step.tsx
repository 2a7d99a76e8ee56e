import { Button, FileButton, Group, Text, Textarea } from '@mantine/core'
import { IconClipboardText, IconFileTypeCsv, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './imports.module.css'

type ChooseStepProps = {
  /** The text of the field; null while it is not open. */
  pasted: string | null
  onPaste: (text: string | null) => void
  onChoose: (source: File | string) => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** Drop a file, choose one, or paste. */
export function ChooseStep({ pasted, onPaste, onChoose }: ChooseStepProps) {
  const [isOver, setIsOver] = useState(false)
  return (
    <section
      className={classes.drop}
      aria-label="Choose what to import"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const [file] = event.dataTransfer.files
        const text = event.dataTransfer.getData('text')
        if (file) onChoose(file)
        else if (text) onChoose(text)
      }}
    >
      <IconFileTypeCsv size={32} stroke={1.25} aria-hidden className={classes.dropIcon} />
      <Text fw={500}>Choose or drop a CSV, Excel or vCard file</Text>
      <Text size="sm" c="dimmed" maw={520}>
        From Google, Outlook, Apple, HubSpot, Pipedrive, LinkedIn, Salesforce, a spreadsheet or Solo
        CRM itself. Up to 50 MB and 200,000 rows.
      </Text>
      <Group gap="sm" mt="sm" justify="center">
        <FileButton
          onChange={(file) => file && onChoose(file)}
          accept=".csv,.txt,.tsv,.xlsx,.vcf,.vcard,text/csv,text/plain,text/tab-separated-values,text/vcard,text/x-vcard,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          inputProps={{ 'aria-label': 'File to import' }}
        >
          {(props) => (
            <Button {...props} leftSection={<IconUpload {...icon} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconClipboardText {...icon} />}
          aria-expanded={pasted !== null}
          onClick={() => onPaste(pasted === null ? '' : null)}
        >
          Paste rows
        </Button>
      </Group>
      {pasted !== null && (
        <form
          className={classes.paste}
          onSubmit={(event) => {
            event.preventDefault()
            onChoose(pasted)
          }}
        >
          <Textarea
            label="Rows with their header"
            description="As you copied them from a spreadsheet or a CSV file"
            value={pasted}
            onChange={(event) => onPaste(event.currentTarget.value)}
            minRows={6}
            maxRows={14}
            autosize
            autoFocus
            ta="left"
            styles={{ description: { marginBottom: 6 } }}
          />
          <Group justify="flex-end" mt="sm">
            <Button type="submit">Read rows</Button>
          </Group>
        </form>
      )}
    </section>
  )
}
