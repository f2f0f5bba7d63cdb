{{- /* The labels of a role, which its pods are selected by. */ -}}
{{- define "rcpt.labels" -}}
{ app.kubernetes.io/name: rcpt, app.kubernetes.io/instance: {{ .release }}, app.kubernetes.io/component: {{ .role }} }
{{- end }}
