// Built-in roles, by the ids they have in every tenant.

@export()
var eventHubsDataReceiver = 'a638d3c7-ab3a-418d-83e6-5f17a39d4fde'

@export()
var eventHubsDataSender = '2b629674-e913-4c01-ae53-ef4638d8f975'

@export()
var storageBlobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'

@export()
var storageBlobDataContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'

@export()
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

@export()
@description('A role of Cosmos DB itself, not of Azure: read and write items.')
var cosmosDataContributor = '00000000-0000-0000-0000-000000000002'
