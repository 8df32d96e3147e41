module example/alerts

go 1.19
