/**
 * A program of a user of the package `generated`, which the test makes with openapi-python-client. It verifies,
 * submits lists, reads results, creates a key and uses a publishable key.
 * Its arguments are the URL of the service, a test key, a live key and a publishable key.
 */
export const GENERATED_PYTHON_PROGRAM = `
import io, sys, time
from generated import AuthenticatedClient
from generated.api.bulk import bulk_job, bulk_results, verify_bulk
from generated.api.keys import create_key
from generated.api.verification import verify, verify_in_body
from generated.models import (
    ApiKeyCreate, BulkEntry, BulkVerifyRequest, VerifyBulkFilesBody, VerifyMany, VerifyOne,
)
from generated.types import File

url, test_key, live_key, publishable_key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=test_key, raise_on_unexpected_status=True)

verdict = verify.sync(client=client, email="mailbox_not_found@example.com")
print(type(verdict).__name__, verdict.reason.value, verdict.smtp.code)
one = verify_in_body.sync(client=client, body=VerifyOne(email="catch_all@example.com"))
print(type(one).__name__, one.reason.value)
many = verify_in_body.sync(client=client, body=VerifyMany(emails=["jane@example.com", "nobody"]))
print(type(many).__name__, [each.reason.value for each in many.data])

def results(job):
    print(type(job).__name__, job.total)
    yield bulk_results.sync(job.id, client=client, limit=10)
    while bulk_job.sync(job.id, client=client).status.value != "completed":
        time.sleep(0.05)
    yield bulk_results.sync(job.id, client=client, limit=10)

def show(page):
    for row in page.data:
        ref = row.ref if isinstance(row.ref, str) or row.ref is None else row.ref.to_dict()
        print(type(row).__name__, row.index, row.email, ref, row.status and row.status.value)

entries = ["jane@example.com", BulkEntry(email="disposable@example.com", ref="17")]
for page in results(verify_bulk.sync(client=client, body=BulkVerifyRequest(emails=entries))):
    show(page)
file = File(payload=io.BytesIO(b"id,email\\n7,jane@example.com\\n"), file_name="list.csv", mime_type="text/csv")
*_, last = results(verify_bulk.sync(client=client, body=VerifyBulkFilesBody(file=file)))
show(last)

live = AuthenticatedClient(base_url=url, token=live_key, raise_on_unexpected_status=True)
key = create_key.sync(client=live, body=ApiKeyCreate(name="Website"))
print(type(key).__name__, key.mode.value, key.expires_at)

page = AuthenticatedClient(base_url=url, token=publishable_key, headers={"Origin": "https://www.example.com"})
reduced = verify.sync(client=page, email="role@example.com")
print(type(reduced).__name__, reduced.reason.value)
`;
